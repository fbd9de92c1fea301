"""An nginx that brings each request to the next of several servers, as in Docs/Guides/ManyNodes.md."""

import os
import shutil
import socket
from pathlib import Path

PROGRAM = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")

CONFIGURATION = """
daemon off;
{options}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {upstreams}
    server {{
        listen 127.0.0.1:{port};
        {api_location}
        location / {{
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_buffering off;
            proxy_connect_timeout {connect_timeout};
            proxy_read_timeout {read_timeout};
        }}
    }}
}}
"""


API_LOCATION = """location /api/v1/ {
            proxy_pass http://api;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host localhost;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_buffering off;
            proxy_request_buffering off;
        }"""


def free_port(host="127.0.0.1"):
    with socket.socket() as listener:
        listener.bind((host, 0))
        return listener.getsockname()[1]


def upstream(name, addresses):
    return f"upstream {name} {{ {' '.join(f'server {address};' for address in addresses)} }}"


def prepare(folder, addresses, options="", connections=512, connect_timeout="60s", read_timeout="1h", api=()):
    """Writes the configuration into a new folder.

    - Parameter addresses: The addresses of the servers, as HOST:PORT.
    - Parameter api: The addresses of the servers of the API; without them it is not forwarded.
    - Returns: The command that starts nginx, and its address.
    """
    folder, port = Path(folder), free_port()
    folder.mkdir()
    upstreams = "\n    ".join([upstream("nodes", addresses)] + ([upstream("api", api)] if api else []))
    (folder / "nginx.conf").write_text(CONFIGURATION.format(
        folder=folder, port=port, upstreams=upstreams, api_location=API_LOCATION if api else "", options=options, connections=connections, connect_timeout=connect_timeout,
        read_timeout=read_timeout))
    return [PROGRAM, "-c", folder / "nginx.conf", "-p", folder], f"http://127.0.0.1:{port}"
