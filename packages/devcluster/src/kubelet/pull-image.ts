import { ImagePullError, type PulledImage, type Sandbox } from "../runtime/runtime.ts";
import type { ContainerRecord } from "./container-record.ts";
import { Backoff, type Stopper } from "./stopper.ts";

const RETRY = 1000;
const BACKOFF = { first: 10_000, last: 300_000 };

/** How the result of a pull is reported to the API. */
export interface PullWitness {
  readonly report: () => void;
  readonly event: (type: "Normal" | "Warning", reason: string, message: string) => void;
}

/**
 * Pulls a container's image. It tries again after longer and longer pauses until the image is there.
 *
 * @throws Stopped when the pod's life is over.
 */
export async function pullImage(
  sandbox: Sandbox,
  record: ContainerRecord,
  stopper: Stopper,
  { report, event }: PullWitness,
): Promise<PulledImage> {
  const name = JSON.stringify(record.container.image ?? "");
  const backoff = new Backoff(BACKOFF.first, BACKOFF.last);
  for (;;) {
    try {
      const image = await sandbox.pullImage(record.container);
      stopper.check();
      tellPulled(name, image, event);
      return image;
    } catch (error) {
      if (!(error instanceof ImagePullError)) throw error;
      event("Normal", "Pulling", `Pulling image ${name}`);
      event("Warning", "Failed", `Failed to pull image ${name}: ${error.message}`);
      event("Warning", "Failed", `Error: ${error.reason}`);
      record.wait(error.reason, error.message);
      report();
      await stopper.sleep(RETRY);
      event("Normal", "BackOff", `Back-off pulling image ${name}`);
      event("Warning", "Failed", "Error: ImagePullBackOff");
      record.wait("ImagePullBackOff", `Back-off pulling image ${name}: ${error.reason}: ${error.message}`);
      report();
      await stopper.sleep(backoff.next());
    }
  }
}

function tellPulled(name: string, { present, milliseconds, bytes }: PulledImage, event: PullWitness["event"]): void {
  if (present) {
    event("Normal", "Pulled", `Container image ${name} already present on machine`);
    return;
  }
  event("Normal", "Pulling", `Pulling image ${name}`);
  const took = `${milliseconds}ms (${milliseconds}ms including waiting)`;
  event("Normal", "Pulled", `Successfully pulled image ${name} in ${took}. Image size: ${bytes} bytes.`);
}
