"""A headless Chromium, driven over its debugging pipe; for tests of the page only."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or ""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class Browser:
    """One tab; every call waits for Chromium's answer."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer, self._last = b"", 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(60)
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, path: Path, *, width: int, scheme: str) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        deadline = time.monotonic() + 60
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            assert time.monotonic() < deadline, "the page never finished loading"
            self._receive(60)

    def evaluate(self, script: str) -> Any:
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def complaints(self) -> list[str]:
        """Return console messages, exceptions and requests that left the page."""
        found = []
        for e in self.events:
            method, details = e["method"], e["params"]
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                found.append(json.dumps(details)[:300])
            if method == "Network.requestWillBeSent":
                url = details["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    found.append(f"request for {url}")
        return found

    def screenshot(self, path: Path, *, full: bool = True) -> None:
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=full)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _receive(self, seconds: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], seconds)
            assert ready, "Chromium does not answer"
            part = os.read(self._read, 1 << 16)
            assert part, "Chromium has ended"
            self._buffer += part
        line, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium with a fresh profile and end it afterwards."""
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()

    def connect() -> None:  # Chromium reads descriptor 3 and writes descriptor 4
        os.dup2(to_read, 13)
        os.dup2(from_write, 14)
        os.dup2(13, 3)
        os.dup2(14, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [PROGRAM, *FLAGS, f"--user-data-dir={profile}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=connect,
        )
        os.close(to_read)
        os.close(from_write)
        try:
            yield Browser(to_write, from_read)
        finally:
            process.kill()
            process.wait()
            os.close(to_write)
            os.close(from_read)
