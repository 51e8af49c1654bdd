"""Networks in DistributedDataParallel: two processes train as one on the whole batch."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import popsnn

WORKER = """
import sys
import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from popsnn import SpikeTensor, nn, optim

torch.set_num_threads(1)
dist.init_process_group("gloo")
rank = dist.get_rank()


def network(backend):
    torch.manual_seed(0)
    hidden = nn.SparseLIF(12, 20, recurrent=True), nn.SparseLIF(20, 16, learn_beta=True)
    return nn.SNN(*hidden, nn.SparseLI(16, 4), backend=backend)


class Taught(torch.nn.Module):
    def __init__(self, teacher):
        super().__init__()
        self.linear = torch.nn.Linear(12, 4)
        self.teachers = [teacher]  # no submodule

    def forward(self, x):
        return self.linear(x) - self.teachers[0](x)


def train(engine):
    torch.manual_seed(1)
    x, labels = (torch.rand(6, 8, 12) < 0.5).float(), torch.arange(8) % 4
    part = slice(4 * rank, 4 * rank + 4)
    replica = torch.nn.parallel.DistributedDataParallel(network(engine))
    alone = network("torch")
    batches = (replica, SpikeTensor.from_dense(x)[:, part], labels[part]), (alone, x, labels)
    optimizers = [torch.optim.Adam(net.parameters(), 1e-2) for net, _, _ in batches]
    for _ in range(4):
        for (net, spikes, wanted), optimizer in zip(batches, optimizers):
            optimizer.zero_grad()
            cross_entropy(net(spikes).mean(0), wanted).backward()
            optimizer.step()
    trained = replica, alone, network("torch")
    for mine, whole, before in zip(*(net.parameters() for net in trained)):
        torch.testing.assert_close(mine, whole, rtol=1e-4, atol=1e-5)
        assert not torch.equal(mine, before)
    if engine == "ipu":
        net = network(engine)
        on_device = optim.Adam(net)
        try:
            torch.nn.parallel.DistributedDataParallel(net)(x)
        except ValueError as error:
            print(error)
        # A network that the wrapped module only calls keeps its own optimizer.
        teacher = network(engine)
        on_device = optim.Adam(teacher)
        taught = torch.nn.parallel.DistributedDataParallel(Taught(teacher))
        assert taught(x).isfinite().all()


for engine in sys.argv[1:]:
    train(engine)
dist.destroy_process_group()
"""


def test_two_processes_train_as_one() -> None:
    engines = [name for name in ("torch", "ipu") if popsnn.backends()[name].available]
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    address = {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    workers = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", WORKER, *engines],
            env={**os.environ, **address, "RANK": str(rank)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    ended = [(*worker.communicate(timeout=120), worker.returncode) for worker in workers]
    for out, error, code in ended:
        assert code == 0, error
        refused = (
            "ipu engine: parameters: expected an optimizer of torch inside of "
            "DistributedDataParallel of 2 processes, which averages gradients on the host, got one "
            "of popsnn.optim, whose gradients stay on the device\n"
        )
        assert out == (refused if "ipu" in engines else "")
