"""jupyter_kernel_test, the tests that Jupyter has for kernels, with what it asks of ours."""
import os
import signal
import time
import unittest

import jupyter_kernel_test
from jupyter_client.manager import start_new_kernel


class RutterKernel(jupyter_kernel_test.KernelTests):
    kernel_name = "rutter"
    language_name = "rutter"
    file_extension = ".rut"
    # No `code_hello_world`, `code_page_something`, `code_clear_output`: commands return values, and nothing prints, pages or clears.
    code_stderr = "waypoint add 47.1,8.1 --label x\nwaypoint add 47.1,8.1 --label y\nstep --limit 1 waypoint near 47.1,8.1"
    completion_samples = [
        {"text": "notebook sa", "matches": {"save"}},
        {"text": "let reach = 2km; $rea", "matches": set()},
    ]
    complete_code_samples = ["1 + 1", "range 1 3 | count", "let a = 1\n$a", "---\nseed: 1\n---"]
    incomplete_code_samples = ["range 1 3 |", "[1 2", "'open", "1 \\", "---\nseed: 1"]
    invalid_code_samples = ["1 +", "nosuchcommand", "let a = 1\n)"]
    code_generate_error = "2km > 3s"
    code_execute_result = [
        {"code": "1 + 1", "result": "2"},
        {"code": "6.1km in m", "result": "6100m"},
        {"code": "[{a: 1} {a: 2}]", "result": "a\n1\n2", "mime": "text/plain"},
        {"code": "[{a: 1}]", "mime": "text/html"},
    ]
    code_display_data = [{"code": "range 1 5 | each {x: it, y: it * it} | plot x y", "mime": "image/svg+xml"}]
    code_history_pattern = "1 +*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "range"

    def test_interrupt(self):
        """By message and by signal, in the middle of rows and of searches; the session goes on."""
        self.flush_channels()
        sketch = "let p = region sketch town '\nA---B---C\n|   |   |\nD---E---F\n' --way ABC --way DEF --way AD --way BE --way CF"
        self.assertEqual(self.execute_helper(sketch)[0]["content"]["status"], "ok")
        for code in ("range 1 1000000000000 | count", "for n in (range 1 1000000) { route plan $p.A $p.F --method dijkstra }"):
            self.interrupt(code)

    def interrupt(self, code):
        by_message = (self.km.interrupt_kernel, {"execute_request", "interrupt_request"})
        by_signal = (lambda: os.kill(self.km.provisioner.pid, signal.SIGINT), {"execute_request"})
        for interrupt, requests in (by_message, by_signal):
            self.flush_channels()
            self.kc.execute(code)
            while self.kc.get_iopub_msg(timeout=10)["msg_type"] != "execute_input":
                pass
            # In the middle: it has begun, and does not end by itself.
            time.sleep(0.5)
            interrupt()
            reply = self.get_non_kernel_info_reply(timeout=10)
            self.assertEqual(reply["content"]["ename"], "E-INTERRUPTED")
            # The request to interrupt goes over a channel of its own: its "idle" may come after the cell's.
            unfinished = set(requests)
            while unfinished:
                message = self.kc.get_iopub_msg(timeout=10)
                if message["content"].get("execution_state") == "idle":
                    unfinished.discard(message["parent_header"].get("msg_type"))
            self.assertEqual(self.execute_helper("1 + 1")[0]["content"]["status"], "ok")


class RutterWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "rutter"
    support_iopub_welcome = True


class RutterRestart(unittest.TestCase):
    def test_restart_forgets(self):
        km, kc = start_new_kernel(kernel_name="rutter")
        try:
            kc.execute_interactive("let a = 1", timeout=20)
            km.restart_kernel(now=False)
            kc.wait_for_ready(timeout=20)
            reply = kc.execute_interactive("$a", timeout=20, output_hook=lambda message: None)
            self.assertEqual(reply["content"]["status"], "error")
        finally:
            kc.stop_channels()
            km.shutdown_kernel()


if __name__ == "__main__":
    unittest.main(verbosity=1)
