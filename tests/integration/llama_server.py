"""Serve a model over HTTP until a signal ends the process: python llama_server.py MODEL.gguf prints the address."""

import signal
import sys

import xllamacpp


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.n_ctx = 4096
    params.n_parallel = 1
    params.warmup = False
    params.verbosity = -1
    # The rules stand in front of every request: read once, they cost a tenth.  What was asked before may change the
    # rounding of an answer by that; no test hangs on one answer.
    params.cache_prompt = True
    params.cache_ram_mib = 0
    # Two threads on a busy machine of two cores are far slower than one.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    # The server answers in threads of its own, as long as the object lives.
    signal.pause()


if __name__ == "__main__":
    main()
