import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../../json/fields.ts";

const NAME = "kindling-wait-for-driver";

// Spark's images have a bash: their entry point is one. What it waits for runs beside it, so that it ends at once when the
// pod is deleted: a connection to an address that is gone takes minutes to fail.
const SCRIPT = `trap 'exit 0' TERM
until
  (exec 3<>"/dev/tcp/$DRIVER_ADDRESS/$DRIVER_PORT") 2>/dev/null &
  wait $!
do
  sleep 0.1 &
  wait $!
done`;

/**
 * The pod with a last init container that ends when a port of the driver is open: an executor that starts before its
 * driver takes executors ends with an error. It needs no more than the executor itself, and has its image.
 *
 * @param place where the executor's container stands
 */
export function waitingForDriver(
  pod: KubeObject,
  place: number,
  driver: { readonly address: string; readonly port: number },
): KubeObject {
  const spec = objectAt(pod, "spec");
  const executor = objectsAt(spec, "containers")[place] ?? {};
  const { image, imagePullPolicy, resources, securityContext } = executor;
  const wait: JsonObject = {
    name: NAME,
    command: ["/bin/bash", "-c", SCRIPT],
    env: [
      { name: "DRIVER_ADDRESS", value: driver.address },
      { name: "DRIVER_PORT", value: String(driver.port) },
    ],
    ...Object.fromEntries(
      Object.entries({ image, imagePullPolicy, resources, securityContext }).filter(([, value]) => value !== undefined),
    ),
  };
  return { ...pod, spec: { ...spec, initContainers: [...objectsAt(spec, "initContainers"), wait] } };
}
