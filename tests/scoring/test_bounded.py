from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import threading
from time import perf_counter, sleep

import pytest

from reliable_change.scoring.bounded import BoundedWorker, CallFailed, OutOfBounds, WorkerError

HUGE = (7, 10**9)  # minutes of big-integer work inside C


def test_a_process_is_used_again():
    with BoundedWorker("os:getpid") as worker:
        first = worker.call()
        assert first != os.getpid()
        assert worker.call() == first


def test_big_integer_work_in_c_is_stopped_and_work_goes_on():
    """MATH-05: no signal handler in the same process could stop this."""
    with BoundedWorker("builtins:pow", seconds=1) as worker:
        start = perf_counter()
        with pytest.raises(OutOfBounds, match="took more than 1 s"):
            worker.call(*HUGE)
        assert perf_counter() - start < 20
        assert worker.call(2, 10) == 1024


def test_the_bound_holds_in_threads():
    found = []

    def work(worker):
        for arguments in (HUGE, (3, 2)):
            try:
                found.append(worker.call(*arguments))
            except OutOfBounds as error:
                found.append(str(error))

    with BoundedWorker("builtins:pow", seconds=1) as worker:
        threads = [threading.Thread(target=work, args=(worker,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(map(str, found)) == ["9", "9", "took more than 1 s", "took more than 1 s"]


def test_waiting_is_bounded_too():
    with BoundedWorker("time:sleep", seconds=0.2) as worker:
        with pytest.raises(OutOfBounds):
            worker.call(60)
        assert worker.call(0) is None


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux only")
def test_memory_is_bounded():
    with BoundedWorker("builtins:bytearray", megabytes=512) as worker:
        with pytest.raises(OutOfBounds, match="took more than 512 MB"):
            worker.call(2**31)
        with pytest.raises(CallFailed, match="not JSON serializable"):
            worker.call(1)


def test_an_error_in_the_function_leaves_the_process_alive():
    with BoundedWorker("math:sqrt") as worker:
        with pytest.raises(CallFailed, match="ValueError: math domain error"):
            worker.call(-1)
        assert worker.call(4) == 2


def test_the_end_of_the_process_is_told_apart_from_time():
    with BoundedWorker("os:_exit") as worker, pytest.raises(OutOfBounds, match=r"code 3"):
        worker.call(3)


def test_what_the_function_prints_does_not_mix_with_answers():
    with BoundedWorker("builtins:print") as worker:
        assert worker.call('{"result": 1}') is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_files_cannot_be_written(tmp_path):
    with BoundedWorker("pathlib:Path.touch") as worker, pytest.raises((CallFailed, WorkerError)):
        worker.call("x")
    with BoundedWorker("shutil:copyfile") as worker:
        source = tmp_path / "source"
        source.write_text("text")
        with pytest.raises((CallFailed, OutOfBounds)):
            worker.call(str(source), str(tmp_path / "copy"))
    assert not (tmp_path / "copy").exists() or (tmp_path / "copy").read_text() == ""


def test_no_key_is_passed_on(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "not for others")
    with BoundedWorker("os:getenv") as worker:
        assert worker.call("SOME_API_KEY") is None
        assert worker.call("PYTHONHASHSEED") == "0"


@pytest.mark.parametrize("function", ["math:no_such_thing", "no.such.module:thing"])
def test_a_process_that_cannot_start_is_one_clear_error(function):
    with BoundedWorker(function) as worker, pytest.raises(WorkerError, match=function):
        worker.call()


def test_any_text_passes_as_it_is():
    text = "x \ud835 \x00 \u202e \U0001f600 \n"
    with BoundedWorker("builtins:str") as worker:
        assert worker.call(text) == text


def test_a_module_in_the_working_directory_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    with BoundedWorker("builtins:abs") as worker:
        assert worker.call(-1) == 1


def test_the_process_ends_with_its_owner():
    worker = BoundedWorker("os:getpid")
    number = worker.call()
    del worker
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_the_process_ends_with_the_program():
    code = (
        "from reliable_change.scoring.bounded import BoundedWorker\n"
        "worker = BoundedWorker('os:getpid')\n"
        "print(worker.call())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for _ in range(50):
        try:
            os.kill(int(done.stdout), 0)
        except ProcessLookupError:
            break
        sleep(0.1)
    else:
        pytest.fail("the process is still there")


def _child(worker: BoundedWorker, answers: multiprocessing.Queue) -> None:
    answers.put(worker.call())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_program_gets_a_process_of_its_own():
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    with BoundedWorker("os:getpid") as worker:
        here = worker.call()
        forked = context.Process(target=_child, args=(worker, answers))
        forked.start()
        assert answers.get(timeout=60) != here
        forked.join()
        assert worker.call() == here
