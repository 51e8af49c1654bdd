"""Entry point of every rank: see the package."""

from __future__ import annotations

import argparse
import os

import torch
import torch.distributed as dist

from bench import rows, time_parallel


def main() -> None:
    """Measure, and let the first rank write the rows."""
    parser = argparse.ArgumentParser(prog="python -m bench.time_parallel", description=__doc__)
    parser.add_argument("--record", action="store_true", help=rows.RECORD_HELP)
    if parser.parse_args().record:
        rows.FOLDER[:] = [rows.RESULTS]
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    for row in time_parallel.run():
        if dist.get_rank() == 0:
            for path in rows.write(row):
                print(f"  rows in {path}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
