"""Runs one task of Airflow's SparkKubernetesOperator, or of its sensor, as a worker does, without a scheduler and its database.

Standard input holds JSON: `class`, `arguments`, and what the task's instance is: `run_id` and `try_number`. SIGTERM kills the
task in the way of Airflow's task runner: its handler calls the operator's on_kill, and what runs goes on from there. A task
that defers itself is taken up by the trigger in this process, as a triggerer would: the trigger is written down and read
again, and a new operator goes on with its event. The last line says how the task ended.
"""
import asyncio
import importlib
import json
import signal
import sys
from types import SimpleNamespace

from airflow.providers.cncf.kubernetes.operators.spark_kubernetes import SparkKubernetesOperator
from airflow.providers.cncf.kubernetes.sensors.spark_kubernetes import SparkKubernetesSensor
from airflow.sdk.exceptions import TaskDeferred

task = json.load(sys.stdin)
kinds = {kind.__name__: kind for kind in (SparkKubernetesOperator, SparkKubernetesSensor)}


def new_operator():
    return kinds[task["class"]](task_id="spark", **task["arguments"])


operator = new_operator()
instance = SimpleNamespace(
    dag_id="nightly",
    task_id="spark",
    run_id=task["run_id"],
    map_index=-1,
    try_number=task["try_number"],
    xcom_push=lambda key, value: print("XCOM", key, value),
)
context = {"ti": instance, "task_instance": instance, "run_id": task["run_id"], "dag": SimpleNamespace()}


async def event_of(classpath, arguments):
    module, name = classpath.rsplit(".", 1)
    async for event in getattr(importlib.import_module(module), name)(**arguments).run():
        return event.payload


signal.signal(signal.SIGTERM, lambda *_: operator.on_kill())
try:
    try:
        operator.execute(context)
    except TaskDeferred as deferred:
        print("DEFERRED", flush=True)
        event = asyncio.run(event_of(*deferred.trigger.serialize()))
        operator = new_operator()
        getattr(operator, deferred.method_name)(context, event, **(deferred.kwargs or {}))
except Exception as error:
    print("TASK failed:", error)
else:
    print("TASK succeeded")
