import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { Container } from "../../objects/pod.ts";
import { ImagePullError, type PulledImage } from "../runtime.ts";
import type { ImageSource, ProcessImage } from "./process-image.ts";

/** Finds images in several sources, and remembers which were already there. */
export class Images {
  readonly #sources: readonly ImageSource[];
  readonly #clock: Clock;
  readonly #known = new Set<string>();
  readonly #pulled = new WeakMap<PulledImage, ProcessImage>();

  constructor(sources: readonly ImageSource[], clock: Clock) {
    this.#sources = sources;
    this.#clock = clock;
  }

  /** @throws ImagePullError */
  async pull({ image: name = "", imagePullPolicy }: Container, signal: AbortSignal): Promise<PulledImage> {
    const began = this.#clock.monotonic();
    if (imagePullPolicy === "Never" && !this.#known.has(name)) {
      throw new ImagePullError(
        "ErrImageNeverPull",
        `Container image "${name}" is not present with pull policy of Never`,
      );
    }
    for (const source of this.#sources) {
      const image = await resolved(source, name, signal);
      if (image === undefined) continue;
      const milliseconds = Math.round(this.#clock.monotonic() - began);
      const pulled = { imageId: image.id, name, bytes: 0, milliseconds, present: this.#known.has(name) };
      this.#known.add(name);
      this.#pulled.set(pulled, image);
      return pulled;
    }
    const why = "not found: the containers of this cluster are processes, and no process image has this name";
    throw new ImagePullError("ErrImagePull", `failed to pull and unpack image "${name}": ${why}`);
  }

  /** The image that was pulled. */
  imageOf(pulled: PulledImage): ProcessImage {
    const image = this.#pulled.get(pulled);
    if (image === undefined) throw new Error(`the image ${pulled.name} was not pulled here`);
    return image;
  }
}

async function resolved(source: ImageSource, name: string, signal: AbortSignal): Promise<ProcessImage | undefined> {
  try {
    return await source.resolve(name, signal);
  } catch (error) {
    if (error instanceof ImagePullError) throw error;
    throw new ImagePullError("ErrImagePull", `failed to pull and unpack image "${name}": ${messageOf(error)}`);
  }
}
