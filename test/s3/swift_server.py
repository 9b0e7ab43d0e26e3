"""OpenStack Swift with its S3 interface in one process: proxy, account, container and object server, with one disk.

Usage: swift_server.py FOLDER ACCOUNT USER SECRET
The access key is ACCOUNT:USER. Prints the port. Ends with its standard input.
"""

import array
import os
import sys
import threading

import eventlet

eventlet.monkey_patch(thread=False)

from eventlet import listen, wsgi  # noqa: E402
from swift.common import db, storage_policy, utils  # noqa: E402
from swift.common.ring import RingData  # noqa: E402

PROXY = """
[DEFAULT]
swift_dir = {folder}
log_level = ERROR

[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats bulk s3api tempauth copy slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:gatekeeper]
use = egg:swift#gatekeeper

[filter:listing_formats]
use = egg:swift#listing_formats

[filter:bulk]
use = egg:swift#bulk

[filter:s3api]
use = egg:swift#s3api
location = us-east-1

[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin

[filter:copy]
use = egg:swift#copy

[filter:slo]
use = egg:swift#slo

[filter:dlo]
use = egg:swift#dlo
"""


class NoCache:
    """Swift wants a cache. One that never has anything keeps it consistent."""

    def get(self, *_, **__):
        return None

    def set(self, *_, **__):
        return None

    delete = set


def with_cache(app):
    def serve(env, start_response):
        env["swift.cache"] = NoCache()
        return app(env, start_response)

    return serve


def save(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def forget_power_failures():
    """Nothing here has to survive one, and waiting for the disk takes most of the time."""
    os.fsync = os.fdatasync = lambda _: None
    connect = db.get_db_connection

    def connect_quickly(*args, **options):
        connection = connect(*args, **options)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    db.get_db_connection = connect_quickly


def end_with_input():
    sys.stdin.read()
    os._exit(0)


def main(folder, account, user, secret):
    forget_power_failures()
    os.makedirs(os.path.join(folder, "disks", "disk"), exist_ok=True)
    utils.SWIFT_CONF_FILE = save(
        folder,
        "swift.conf",
        "[swift-hash]\nswift_hash_path_suffix = suffix\nswift_hash_path_prefix = prefix\n"
        "[storage-policy:0]\nname = only\ndefault = yes\n",
    )
    utils.HASH_PATH_SUFFIX, utils.HASH_PATH_PREFIX = b"suffix", b"prefix"
    storage_policy.reload_storage_policies()

    from swift.account.server import AccountController
    from swift.common.wsgi import loadapp
    from swift.container.server import ContainerController
    from swift.obj.server import ObjectController

    conf = {
        "devices": os.path.join(folder, "disks"),
        "swift_dir": folder,
        "mount_check": "false",
        "log_level": "ERROR",
        "allow_versions": "true",
        "disable_fallocate": "true",
    }
    sockets = {name: listen(("127.0.0.1", 0)) for name in ("account", "container", "object", "proxy")}
    for name in ("account", "container", "object"):
        port = sockets[name].getsockname()[1]
        address = {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
        device = {"id": 0, "region": 1, "zone": 1, "device": "disk", "weight": 1, "meta": "", **address}
        RingData([array.array("H", [0, 0])], [device], 31).save(os.path.join(folder, f"{name}.ring.gz"))

    logger = utils.NullLogger()
    servers = {
        "account": AccountController(conf),
        "container": ContainerController(conf),
        "object": ObjectController(conf),
        "proxy": with_cache(
            loadapp(
                save(
                    folder,
                    "proxy-server.conf",
                    PROXY.format(folder=folder, account=account, user=user, secret=secret),
                ),
                global_conf=conf,
            )
        ),
    }
    threads = [
        eventlet.spawn(wsgi.server, sockets[name], app, logger, debug=False, custom_pool=eventlet.GreenPool(1000))
        for name, app in servers.items()
    ]
    threading.Thread(target=end_with_input, daemon=True).start()
    print(sockets["proxy"].getsockname()[1], flush=True)
    for thread in threads:
        thread.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
