# The cluster that the gate uses for the end-to-end suites: a real Kubernetes on this machine, from the folder beside this
# repository. Only this file depends on it. For another cluster, write another file with these five functions and name it in
# KINDLING_CI_CLUSTER. The suites themselves use only KUBECONFIG and the KINDLING_E2E_* variables (CONTRIBUTING.md).
#
# .ci/run sources it, in the repository's root.

cluster_home=../shared/cluster
cluster_state=${CLUSTER_STATE:-/var/lib/testcluster}
cluster_sparks="3.5.9 4.3.0"

# Whether the cluster is available.
cluster_is_there() {
  [ "$(id -u)" = 0 ] && [ -x "$cluster_home/cluster" ]
}

# Fetches and builds Spark's images, which takes minutes the first time. It runs beside the tests that need no cluster, and
# leaves no cluster running.
cluster_prepare() {
  "$cluster_home/cluster" status >/dev/null 2>&1 && return
  cluster_mend_packages
  nice "$cluster_home/cluster" up
  local version
  for version in $cluster_sparks; do cluster_give_spark "$version"; done
  "$cluster_home/cluster" down
}

# Completes an interrupted installation of Debian packages: until then apt installs nothing.
cluster_mend_packages() {
  [ -n "$(ls /var/lib/dpkg/updates 2>/dev/null)$(dpkg --audit)" ] || return 0
  export DEBIAN_FRONTEND=noninteractive
  dpkg --configure -a
  apt-get update -qq && apt-get install -y -qq --fix-broken >/dev/null
  # Packages that were only partly unpacked must be unpacked again.
  local broken
  broken=$(dpkg-query -W -f '${db:Status-Eflag} ${binary:Package}\n' | sed -n 's/^reinstreq //p')
  # shellcheck disable=SC2086
  [ -z "$broken" ] || apt-get install -y -qq --reinstall $broken >/dev/null
}

# Builds the image of a Spark, and that Spark for this machine, unless the running cluster has both: building them again
# takes just as long. $1: the version.
cluster_give_spark() {
  [ -d "$cluster_state/spark/$1/jars" ] &&
    ctr --address "$cluster_state/run/containerd.sock" --namespace k8s.io images ls --quiet "name==docker.io/apache/spark:$1" |
    grep -q . && return
  nice "$cluster_home/spark-image" "$1" >&2
}

# Starts the cluster with Spark's images, and sets KUBECONFIG, the Spark folders of this machine, and the address for pods.
# Fails if the cluster does not start.
cluster_up() {
  "$cluster_home/cluster" status >/dev/null 2>&1 && cluster_was_up=yes
  "$cluster_home/cluster" up >&2 || return
  local version
  for version in $cluster_sparks; do cluster_give_spark "$version"; done
  export KINDLING_E2E_SPARK_HOME="$cluster_state/spark/{version}"
  eval "$("$cluster_home/cluster" env)"
  export KINDLING_E2E_STAGING_HOST=10.200.0.1
}

# Loads images from archives into the nodes. $@: the archives.
cluster_load() {
  local archive
  for archive in "$@"; do "$cluster_home/cluster" load "$archive" >&2; done
}

# Leaves the cluster in the state from before.
cluster_down() {
  [ "${cluster_was_up:-no}" = yes ] || "$cluster_home/cluster" down >&2
}
