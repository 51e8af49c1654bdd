"""The Builder: models of ONNX from calls."""
