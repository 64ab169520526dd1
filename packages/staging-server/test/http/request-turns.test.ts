import { expect, it } from "vitest";
import { requestTurns } from "../../src/http/request-turns.ts";

const never = (): void => undefined;

it("lets a client with few requests go before all those of a client with many", async () => {
  let now = 0;
  const turns = requestTurns(() => (now += 1));
  const order: string[] = [];
  const request = async (client: string): Promise<void> => {
    await turns.wait(client, 10, never);
    order.push(client);
  };
  const many = Array.from({ length: 50 }, () => request("many"));
  const few = Array.from({ length: 3 }, () => request("few"));
  await Promise.all(few);
  expect(order.filter((client) => client === "many").length).toBeLessThan(10);
  await Promise.all(many);
  expect(order).toHaveLength(53);
});

it("has a client wait longer after what cost more", async () => {
  let now = 0;
  const turns = requestTurns(() => (now += 1));
  const order: string[] = [];
  const request = async (client: string, costMs: number): Promise<void> => {
    await turns.wait(client, costMs, never);
    order.push(client);
  };
  await Promise.all([
    request("dear", 100),
    request("dear", 100),
    ...Array.from({ length: 20 }, () => request("cheap", 1)),
  ]);
  expect(order.lastIndexOf("dear")).toBe(order.length - 1);
});

it("forgets requests for which nobody waits any more", async () => {
  let now = 0;
  const turns = requestTurns(() => (now += 1));
  const gone: (() => void)[] = [];
  const went: number[] = [];
  void turns.wait("a", 5, never);
  for (let index = 0; index < 3; index++) {
    void turns.wait("a", 5, (callback) => gone.push(callback))?.then(() => went.push(index));
  }
  gone[0]?.();
  await turns.wait("a", 5, never);
  expect(went).toEqual([1, 2]);
});
