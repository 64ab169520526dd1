# How to get a kind cluster: with plain `kind` and `docker` or, if the folder beside this repository has a kind that needs no
# registry, with that. For another way, write another file with these five functions and name it in KINDLING_E2E_KIND.
#
# apps/integration/e2e-kind sources it, in the repository's root.

kind_home=../shared/kind
kind_cluster_home=../shared/cluster
kind_state=${KIND_STATE:-/var/lib/kindlab}
kind_cluster_state=${CLUSTER_STATE:-/var/lib/testcluster}

# Creates a cluster, and sets KUBECONFIG. $1: its name. $2: a file for its kubeconfig.
kind_up() {
  if ! kind_is_made_here; then
    kind create cluster --name "$1" --kubeconfig "$2" --wait 180s >&2
    export KUBECONFIG=$2
    return
  fi
  local protected exports
  protected=$(cat /proc/sys/fs/protected_regular)
  exports=$("$kind_home/kind-up" "$1")
  eval "$exports"
  # The systemd of a node changes this setting for the whole machine.
  echo "$protected" >/proc/sys/fs/protected_regular
}

# Prints the image with Node that the Dockerfiles take. If it cannot be pulled, it is built first: a Debian with the same Node
# of the npm registry. $1: a folder for intermediate files.
kind_node_image() {
  local image version
  image=$(sed -n 's/^ARG NODE_IMAGE=//p' deploy/images/cli/Dockerfile)
  version=${image#node:}
  if kind_is_made_here && ! docker image inspect "$image" >/dev/null 2>&1; then
    "$kind_cluster_home/base-image" "$kind_state/base-node-$version" libstdc++6 libatomic1 >&2
    python3 "$kind_cluster_home/mkimage.py" "$image" "$1/node.tar" --layer "$kind_state/base-node-$version/rootfs.tar" \
      --layer "$(node deploy/node-executable.mjs "${version%%-*}")=/usr/local/bin/node" --cmd '["node"]' >&2
    docker load --input "$1/node.tar" >&2
    rm "$1/node.tar"
  fi
  echo "$image"
}

# Loads Spark's image into the nodes. $1: the cluster's name. $2: the version. $3: a folder for intermediate files.
kind_load_spark() {
  if ! kind_is_made_here; then
    docker pull "apache/spark:$2" >&2
    kind load docker-image "apache/spark:$2" --name "$1" >&2
    return
  fi
  local home=$kind_cluster_state/spark/$2
  [ -d "$home/jars" ] || "$kind_cluster_home/spark-image" "$2" >&2
  python3 "$kind_cluster_home/mkimage.py" "docker.io/apache/spark:$2" "$3/spark.tar" \
    --layer "$kind_cluster_state/base-java/rootfs.tar" --layer "$home=/opt/spark" \
    --layer "$kind_cluster_home/spark-decom.sh=/opt/decom.sh" --layer "$kind_cluster_home/spark-entrypoint.sh=/opt/entrypoint.sh" \
    --entrypoint '["/usr/bin/tini","-s","--","/opt/entrypoint.sh"]' --user 185 --workdir /opt/spark/work-dir \
    --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --env SPARK_HOME=/opt/spark \
    --env JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64 >&2
  kind load image-archive "$3/spark.tar" --name "$1" >&2
  rm "$3/spark.tar"
  export KINDLING_E2E_SPARK_HOME=$kind_cluster_state/spark/{version}
}

# Removes the cluster. $1: its name. $2: its kubeconfig, if it had that file.
kind_down() {
  if ! kind_is_made_here; then
    kind delete cluster --name "$1" --kubeconfig "$2" >&2
    return
  fi
  kind_thaw
  "$kind_home/kind-down" "$1" >&2
}

# Whether a kind cluster is possible.
kind_is_there() {
  kind_is_made_here || { command -v kind && docker info; } >/dev/null 2>&1
}

kind_is_made_here() {
  [ "$(id -u)" = 0 ] && [ -x "$kind_home/kind-up" ]
}

# An engine may leave a control group frozen. This would block its processes, and the deletion, for ever.
kind_thaw() {
  local state
  for state in $(grep -l FROZEN $(find /sys/fs/cgroup/freezer -name freezer.state -path '*docker*' 2>/dev/null) /dev/null); do
    echo THAWED >"$state"
  done
}
