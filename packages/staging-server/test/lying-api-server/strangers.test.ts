import { expect, it } from "vitest";
import { someRounds } from "@kindling/test-kit/rounds";
import { outlives } from "../support/driver-scene.ts";
import { STRANGERS } from "./impostors.ts";

it.each(someRounds("strangers", STRANGERS, 1 / 3))(
  "the bundle of a running driver stays when the API server's address answers with %s",
  async (_name, impostor) => {
    await expect(outlives(impostor)).resolves.toBeUndefined();
  },
  120_000,
);
