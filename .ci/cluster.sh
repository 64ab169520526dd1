# The cluster that the gate takes for the end-to-end suites, and the only file that knows it: a real Kubernetes on this
# machine, from the folder beside this repository. Another cluster is another file with these five functions, which
# KINDLING_CI_CLUSTER names. The suites themselves know KUBECONFIG and the KINDLING_E2E_* variables (CONTRIBUTING.md) alone.
#
# .ci/run sources it, in the repository's root.

cluster_home=../shared/cluster
cluster_state=${CLUSTER_STATE:-/var/lib/testcluster}
cluster_sparks="3.5.9 4.3.0"

# Whether there is a cluster to be had.
cluster_is_there() {
  [ "$(id -u)" = 0 ] && [ -x "$cluster_home/cluster" ]
}

# Fetches and makes Spark's images, which takes minutes the first time; runs beside the tests that need no cluster, and
# leaves none running.
cluster_prepare() {
  "$cluster_home/cluster" status >/dev/null 2>&1 && return
  cluster_mend_packages
  nice "$cluster_home/cluster" up
  local version
  for version in $cluster_sparks; do cluster_give_spark "$version"; done
  "$cluster_home/cluster" down
}

# Completes what an interrupted installation of Debian packages left half done: apt installs nothing before that.
cluster_mend_packages() {
  [ -n "$(ls /var/lib/dpkg/updates 2>/dev/null)$(dpkg --audit)" ] || return 0
  export DEBIAN_FRONTEND=noninteractive
  dpkg --configure -a
  apt-get update -qq && apt-get install -y -qq --fix-broken >/dev/null
  # What was half unpacked has to be unpacked again.
  local broken
  broken=$(dpkg-query -W -f '${db:Status-Eflag} ${binary:Package}\n' | sed -n 's/^reinstreq //p')
  # shellcheck disable=SC2086
  [ -z "$broken" ] || apt-get install -y -qq --reinstall $broken >/dev/null
}

# Makes the image of a Spark, and that Spark for this machine, unless the cluster that is up has both: to make it again takes
# as long as it took.
# $1: the version.
cluster_give_spark() {
  [ -d "$cluster_state/spark/$1/jars" ] &&
    ctr --address "$cluster_state/run/containerd.sock" --namespace k8s.io images ls --quiet "name==docker.io/apache/spark:$1" |
    grep -q . && return
  nice "$cluster_home/spark-image" "$1" >&2
}

# Brings it up with Spark's images, and sets KUBECONFIG, the Sparks of this machine, and how pods reach it.
# Fails where it does not start.
cluster_up() {
  "$cluster_home/cluster" status >/dev/null 2>&1 && cluster_was_up=yes
  "$cluster_home/cluster" up >&2 || return
  local version
  for version in $cluster_sparks; do cluster_give_spark "$version"; done
  export KINDLING_E2E_SPARK_HOME="$cluster_state/spark/{version}"
  eval "$("$cluster_home/cluster" env)"
  export KINDLING_E2E_STAGING_HOST=10.200.0.1
}

# Gives the nodes images from archives.
# $@: the archives.
cluster_load() {
  local archive
  for archive in "$@"; do "$cluster_home/cluster" load "$archive" >&2; done
}

# Leaves it as it was found.
cluster_down() {
  [ "${cluster_was_up:-no}" = yes ] || "$cluster_home/cluster" down >&2
}
