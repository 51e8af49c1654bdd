"""One fuzzer each: a strategy of cases, a check, and the mutations of its reference."""
