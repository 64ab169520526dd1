/**
 * The scripts of Spark's image that pods name: the entry point, and the script that decommissions an executor before it is
 * stopped. They do the same as those in the `apache/spark` images of 3.5 and 4.x, which agree in everything that is here; the
 * differences between these versions are in the pods. In addition they set what is different if pods share a machine's
 * network: the address to listen on, and the API server's port if a user may not use 443.
 */

/** `/opt/entrypoint.sh driver …`, `/opt/entrypoint.sh executor`, or any other command, which is run unchanged. */
export const ENTRYPOINT = `#!/usr/bin/env bash
set -e
: "\${SPARK_HOME:=/opt/spark}"

# The image runs all below an init. The kernel keeps the signals of a container's other processes from the first one, so
# a program that ends its JVM would only do so if that is not the first.
run_below_init() {
  local child="" code asked=yes early=
  # Set before there is a child: whoever sees the child's first words may ask it to end at once.
  trap 'asked=yes; if [ -n "$child" ]; then kill -s TERM "$child" 2>/dev/null || true; else early=yes; fi' TERM
  "$@" <&0 &
  child=$!
  if [ -n "$early" ]; then kill -s TERM "$child" 2>/dev/null || true; fi
  # A signal interrupts the waiting.
  while [ -n "$asked" ]; do
    asked=
    code=0
    wait "$child" || code=$?
  done
  exit "$code"
}

run_driver() {
  # All addresses of a pod are all of this machine: only one Connect server could listen, and others' machines would reach it.
  local connect="spark.connect.grpc.binding.address=$SPARK_DRIVER_BIND_ADDRESS"
  # Without it the web interfaces of all drivers would want the same ports of all addresses.
  export SPARK_LOCAL_IP="\${SPARK_LOCAL_IP:-$SPARK_DRIVER_BIND_ADDRESS}"
  # Spark takes the API server to be at port 443 of its service, unless it is told.
  if [ "\${KUBERNETES_SERVICE_PORT_HTTPS:-443}" != 443 ]; then
    set -- --conf "spark.kubernetes.driver.master=https://kubernetes.default.svc:$KUBERNETES_SERVICE_PORT_HTTPS" "$@"
  fi
  run_below_init "$SPARK_HOME/bin/spark-submit" \\
    --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS" \\
    --conf "spark.executorEnv.SPARK_DRIVER_POD_IP=$SPARK_DRIVER_BIND_ADDRESS" \\
    --conf "$connect" \\
    --deploy-mode client "$@"
}

# What comes first on the class path wins: configuration, then Spark, then what the user adds.
executor_class_path() {
  local parts=()
  if [ -n "\${SPARK_CONF_DIR+set}" ]; then parts+=("$SPARK_CONF_DIR"); else parts+=("$SPARK_HOME/conf"); fi
  [ -z "\${HADOOP_CONF_DIR+set}" ] || parts+=("$HADOOP_CONF_DIR")
  parts+=("\${SPARK_CLASSPATH:-}" "$SPARK_HOME/jars/*")
  [ -z "\${SPARK_EXTRA_CLASSPATH:-}" ] || parts+=("$SPARK_EXTRA_CLASSPATH")
  parts+=("$PWD")
  if [ -n "\${HADOOP_HOME:-}" ] && [ -z "\${SPARK_DIST_CLASSPATH:-}" ]; then
    SPARK_DIST_CLASSPATH=$("$HADOOP_HOME/bin/hadoop" classpath)
    export SPARK_DIST_CLASSPATH
  fi
  parts+=("\${SPARK_DIST_CLASSPATH:-}")
  local IFS=:
  class_path="\${parts[*]}"
}

# SPARK_JAVA_OPT_0, SPARK_JAVA_OPT_1 and so on, without a gap, in the order of their numbers.
executor_java_options() {
  local name index=0
  java_options=()
  for name in "\${!SPARK_JAVA_OPT_@}"; do
    name="SPARK_JAVA_OPT_$index"
    index=$((index + 1))
    [ -z "\${!name+set}" ] || java_options+=("\${!name}")
  done
}

run_executor() {
  local java=java
  export SPARK_LOCAL_IP="\${SPARK_LOCAL_IP:-$SPARK_EXECUTOR_POD_IP}"
  [ -z "\${JAVA_HOME:-}" ] || java="$JAVA_HOME/bin/java"
  executor_class_path
  executor_java_options
  run_below_init "$java" "\${java_options[@]}" "-Xms$SPARK_EXECUTOR_MEMORY" "-Xmx$SPARK_EXECUTOR_MEMORY" -cp "$class_path" \\
    org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \\
    --driver-url "$SPARK_DRIVER_URL" --executor-id "$SPARK_EXECUTOR_ID" --cores "$SPARK_EXECUTOR_CORES" \\
    --app-id "$SPARK_APPLICATION_ID" --hostname "$SPARK_EXECUTOR_POD_IP" \\
    --resourceProfileId "\${SPARK_RESOURCE_PROFILE_ID:-0}" --podName "$SPARK_EXECUTOR_POD_NAME"
}

case "\${1:-}" in
  driver) shift; run_driver "$@" ;;
  executor) run_executor ;;
  *) run_below_init "$@" ;;
esac
`;

/**
 * Asks the executor in this container to decommission itself, and waits until it has gone. It is found by its pod's name:
 * other containers' processes may be visible.
 */
export const DECOMMISSION = `#!/usr/bin/env bash
for folder in /proc/[0-9]*; do
  pid="\${folder#/proc/}"
  [ "$(cat "$folder/comm" 2>/dev/null)" = java ] || continue
  tr '\\0' '\\n' 2>/dev/null <"$folder/environ" | grep -qxF "SPARK_EXECUTOR_POD_NAME=$SPARK_EXECUTOR_POD_NAME" || continue
  kill -s PWR "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
done
`;
