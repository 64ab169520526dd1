// @ts-check

/**
 * A token as the kubelet projects it into a driver: it is bound to the pod, and only for the gateway unless `audiences` says
 * otherwise.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {import("./driver-pods.mjs").DriverPod} pod
 * @param {readonly string[]} audiences
 */
export async function driverToken(client, { name, namespace, uid }, audiences = ["kindling-gateway"]) {
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name, uid };
  return await tokenOf(client, namespace, { boundObjectRef, ...(audiences.length > 0 && { audiences }) });
}

/**
 * A token of the drivers' account, for two hours.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {object} request other fields of the request
 */
export async function tokenOf(client, namespace, request = {}) {
  /** @type {{ status: { token: string } }} */
  const { status } = await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/spark/token`,
    body: { spec: { expirationSeconds: 7200, ...request } },
  });
  return status.token;
}
