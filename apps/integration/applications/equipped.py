"""Prints what driver and executors find of a company's certificates and proxies."""
import os

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()


def found(where):
    with open(os.environ["SSL_CERT_FILE"]) as file:
        certificates = file.read().strip()
    cluster = ".svc.cluster.local" in os.environ["NO_PROXY"].split(",")
    return " ".join(["FOUND", where, certificates, os.environ["HTTPS_PROXY"], str(cluster)])


print(found("driver"))
print(*spark.sparkContext.parallelize(range(2), 2).map(lambda _: found("executor")).collect(), sep="\n")
print("JVM", spark._jvm.java.lang.System.getProperty("https.proxyHost"))
spark.stop()
