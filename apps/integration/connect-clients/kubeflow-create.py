"""Makes a Spark Connect server with kubeflow's SDK, uses it, and deletes it: kubeflow-create.py NAMESPACE IMAGE VERSION."""
import sys

from kubeflow.spark import Driver, KubernetesBackendConfig, Name, SparkClient

namespace, image, version = sys.argv[1:]


def of_image(resource, _):
    """Uses the Connect server of the image: the SDK lets Spark fetch one from Maven Central."""
    resource.spec.spark_version = version
    del resource.spec.spark_conf["spark.jars"]


client = SparkClient(KubernetesBackendConfig(namespace=namespace))
spark = client.connect(
    num_executors=1,
    resources_per_executor={"cpu": "1", "memory": "512Mi"},
    spark_conf={
        "spark.kubernetes.driver.request.cores": "100m",
        "spark.kubernetes.executor.request.cores": "100m",
    },
    driver=Driver(image=image, service_account="spark"),
    options=[Name("notebook"), of_image],
)
print("TOTAL", spark.range(1000).selectExpr("sum(id)").first()[0])
for session in client.list_sessions():
    print(session.state.value.upper(), session.name)
client.delete_session("notebook")
print("LEFT", len(client.list_sessions()))
