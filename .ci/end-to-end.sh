# What the end-to-end suites need from a running cluster besides Spark. .ci/run and .ci/with-cluster source it after the file
# of the cluster.

# Builds Kindling's images, with the Node that the Dockerfiles take, and loads them into the nodes. $1: a folder for intermediate
# files.
load_images() {
  local node status
  node=$(sed -n 's/^ARG NODE_IMAGE=node:\([0-9]*\).*/\1/p' deploy/images/cli/Dockerfile)
  node deploy/images/build.mjs --tag e2e --node "$node" --output "$1/images" && cluster_load "$1"/images/*.tar
  status=$?
  rm -rf "$1/images"
  return "$status"
}

# Sets the variables by which the suites know these images.
name_images() {
  export KINDLING_E2E_LOCALIZER_IMAGE=kindling/localizer:e2e
  # With helm, the chart is installed as a user would; otherwise the services are processes of this machine.
  if [ -x "${KINDLING_TEST_SERVERS:-$HOME/.cache/kindling-test-servers}/bin/helm" ]; then
    export KINDLING_E2E_SERVICES=installed KINDLING_E2E_CHART_IMAGES=e2e
  fi
}
