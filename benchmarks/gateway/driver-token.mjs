/** A token as the kubelet projects it into a driver: bound to the pod, and for the gateway alone unless told otherwise. */
export async function driverToken(client, pod, audiences = ["kindling-gateway"]) {
  const { name, namespace, uid } = pod.metadata;
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name, uid };
  const { status } = await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/spark/token`,
    body: { spec: { expirationSeconds: 7200, boundObjectRef, ...(audiences.length > 0 && { audiences }) } },
  });
  return status.token;
}
