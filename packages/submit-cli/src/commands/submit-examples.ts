/** Command lines of `kindling submit`, for its help. */
export const SUBMIT_EXAMPLES: readonly string[] = [
  "kindling submit --class org.apache.spark.examples.SparkPi --conf spark.kubernetes.container.image=apache/spark:4.3.0 \\",
  "    local:///opt/spark/examples/jars/spark-examples.jar 1000",
  "kindling submit --master k8s://https://host:6443 --name etl --num-executors 5 --logs local:///app/etl.py 2026-11-21",
  "kindling submit --dry-run -o yaml … | kubectl apply -f -",
  "kindling submit --submission-id etl-2026-11-21 …      # however often it is called, there is one application",
];
