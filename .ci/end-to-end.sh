# What the end-to-end suites need of a cluster that is up, besides Spark. .ci/run and .ci/with-cluster source it after the file
# of the cluster.

# Makes our images, gives them to the nodes, and says so in the variables that the suites read.
# $1: a folder for what is in between.
give_images() {
  node deploy/images/build.mjs --tag e2e --output "$1/images"
  cluster_load "$1"/images/*.tar
  rm -rf "$1/images"
  export KINDLING_E2E_LOCALIZER_IMAGE=kindling/localizer:e2e
  # With helm, the chart is installed, as a user would; else the services are processes of this machine.
  if [ -x "${KINDLING_TEST_SERVERS:-$HOME/.cache/kindling-test-servers}/bin/helm" ]; then
    export KINDLING_E2E_SERVICES=installed KINDLING_E2E_CHART_IMAGES=e2e
  fi
}
