import { expect, it } from "vitest";
import { outlives } from "../support/driver-scene.ts";
import { STRANGERS } from "./impostors.ts";

it.each(STRANGERS)(
  "the bundle of a running driver stays when the API server's address answers with %s",
  async (_name, impostor) => {
    await expect(outlives(impostor)).resolves.toBeUndefined();
  },
  120_000,
);
