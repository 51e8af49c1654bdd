"""Train networks at each level of x86-64 that this CPU has, and compare the bits.

python tools/cpu_levels.py

A wheel has the codelets compiled for each level; $POPSNN_CPU_LEVEL names the one that is loaded.
Different bits of a level are a failure, and so are fewer than two levels.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from typing import Any, Dict, Iterator

LEVELS = ("x86-64", "x86-64-v3", "x86-64-v4")
REFUSED = "expected a level of this CPU"


def networks() -> Iterator[Any]:
    """Yield networks for every kind of codelet, whose sizes fit no length of vectors."""
    import torch

    from popsnn import nn, surrogate

    kinds = (
        surrogate.SuperSpike(),
        surrogate.Sigmoid(),
        surrogate.ATan(),
        surrogate.Triangle(),
        surrogate.Rectangle(),
    )
    resets = itertools.cycle(("zero", "subtract", "none"))
    for seed, (kind, learnt) in enumerate(itertools.product(kinds, (False, True))):
        torch.manual_seed(seed)
        options: Dict[str, Any] = {
            "surrogate": kind,
            "recurrent": bool(seed % 3),
            "delay": seed % 2,
            "learn_beta": learnt,
            "weight_dtype": torch.float16 if seed % 4 == 3 else None,
        }
        layers = [
            nn.SparseLIF(
                inputs,
                outputs,
                reset=next(resets),
                detach_reset=not learnt,
                max_activity=0.6,
                grad_threshold=0.4,
                learn_threshold=learnt,
                **options,
            )
            for inputs, outputs in ((45, 67), (67, 37))
        ]
        readout = nn.SparseLI(37, 11, learn_beta=learnt)
        interval = ("", ",checkpoint_interval=4")[seed // 4 % 2]
        device = f"host:tiles={8 + seed},replicas={1 + seed % 2}{interval}"
        net = nn.SNN(*layers, readout, backend="ipu", device=device, seed=seed)
        with torch.no_grad():
            for layer in layers:
                layer.weight.normal_(0.05, 0.3)
        yield net


def train(net: Any, optimizer: Any) -> Iterator[Any]:
    """Train for some batches; yield outputs, gradients of the input, and the state at the end."""
    import torch

    generator = torch.Generator().manual_seed(1)
    for _ in range(4):
        x = (torch.rand(13, 7, net.in_features, generator=generator) < 0.2).float()
        x.requires_grad_(True)
        out = net(x)
        optimizer.zero_grad()
        out.square().mean().backward()
        optimizer.step()
        yield from (out, x.grad)
    yield from net.state_dict().values()


def digest() -> str:
    """Return the checksum of all results at the level that the environment names."""
    import torch

    from popsnn import optim

    results = hashlib.sha256()
    fired = 0.0
    for index, net in enumerate(networks()):
        optimizer: Any
        if index % 3 == 0:
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        elif index % 3 == 1:
            optimizer = optim.SGD(net, lr=0.1, momentum=0.9)
        else:
            optimizer = optim.Adam(net, lr=0.01)
        for tensor in train(net, optimizer):
            results.update(tensor.detach().contiguous().numpy().tobytes())
        fired += sum(layer.spikes for layer in net.stats()[:-1])
    assert fired, "expected spikes, got none"
    return results.hexdigest()[:16]


def main() -> int:
    """Compare the levels and return the exit status."""
    from popsnn._internal.paths import codelets_path

    for level in LEVELS[1:]:
        compiled = codelets_path().with_suffix(f".{level}.gp")
        if not compiled.is_file():
            sys.exit(f"cpu_levels: expected {compiled}, got none: a portable build has it")
    found = {}
    for level in LEVELS:
        done = subprocess.run(
            [sys.executable, __file__, "--digest"],
            env={**os.environ, "POPSNN_CPU_LEVEL": level},
            capture_output=True,
            text=True,
        )
        if done.returncode and REFUSED in done.stderr:
            print(f"{level}: not a level of this CPU")
            continue
        if done.returncode:
            sys.exit(f"cpu_levels: {level}: {done.stderr}")
        found[level] = done.stdout.strip()
        print(f"{level}: {found[level]}")
    if len(set(found.values())) != 1 or len(found) < 2:
        print(f"cpu_levels: expected equal bits of two levels or more, got {found}")
        return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--digest"]:
        print(digest())
    else:
        sys.exit(main())
