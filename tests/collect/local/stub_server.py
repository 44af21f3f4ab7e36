"""Stands in for llama_cpp.server: answers /v1/models as its configuration says, and no more."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    """Lists the models of the configuration."""

    def do_GET(self) -> None:
        models = [{"id": model["model_alias"]} for model in CONFIG["models"]]
        body = json.dumps({"data": models}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    CONFIG = json.loads(Path(sys.argv[sys.argv.index("--config_file") + 1]).read_text())
    if "no such model" in CONFIG["models"][0]["model"]:
        sys.exit("this model cannot be loaded")
    HTTPServer((CONFIG["host"], CONFIG["port"]), Handler).serve_forever()
