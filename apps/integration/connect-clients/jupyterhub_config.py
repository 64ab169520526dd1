"""A JupyterHub whose users' servers find a Spark Connect address, each with a token of its user."""
import json
import os
from os.path import dirname, join
from sys import executable

c = get_config()  # noqa: F821
bin = dirname(executable)
tokens = json.loads(os.environ["HUB_SPARK_TOKENS"])


def with_token(spawner):
    spawner.environment["SPARK_CONNECT_AUTHENTICATE_TOKEN"] = tokens[spawner.user.name]


c.JupyterHub.bind_url = os.environ["HUB_URL"]
c.JupyterHub.hub_bind_url = os.environ["HUB_OWN_URL"]
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.cookie_secret_file = "cookie-secret"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.services = [{"name": "notebooks", "api_token": os.environ["HUB_TOKEN"]}]
c.JupyterHub.load_roles = [
    {"name": "notebooks", "services": ["notebooks"], "scopes": ["admin:users", "admin:servers", "access:servers"]}
]
c.ConfigurableHTTPProxy.command = [join(bin, "configurable-http-proxy")]
c.ConfigurableHTTPProxy.api_url = os.environ["HUB_PROXY_URL"]
c.JupyterHub.spawner_class = "simple"
c.Spawner.cmd = [join(bin, "jupyterhub-singleuser"), "--allow-root"]
c.Spawner.environment = {"SPARK_REMOTE": os.environ["SPARK_REMOTE"]}
c.Spawner.pre_spawn_hook = with_token
