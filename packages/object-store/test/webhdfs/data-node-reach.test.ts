import { expect, test } from "vitest";
import { dataNodeReach, type NameNodeAt } from "../../src/webhdfs/data-node-reach.ts";

const FAR: NameNodeAt = { url: new URL("http://nn.example:9870"), address: "10.0.0.1" };
const HERE: NameNodeAt = { url: new URL("http://localhost:9870"), address: "127.0.0.1" };

test.each<[string, NameNodeAt, string[], string]>([
  ["http://nn.example:9864/", FAR, [], "anywhere"],
  ["http://dn.example:9864/", FAR, [], "none"],
  ["http://dn.example:9864/", FAR, ["dn.example"], "anywhere"],
  ["http://dn.example:9864/", FAR, ["dn.example:9864"], "anywhere"],
  ["http://dn.example:9864/", FAR, ["dn.example:9999"], "none"],
  ["http://dn.example:9864/", FAR, ["*.example"], "network"],
  ["http://dn.example:9864/", FAR, ["*.example:9864"], "network"],
  ["http://dn.example.evil:9864/", FAR, ["*.example"], "none"],
  ["http://dn7.rack1.example/", FAR, ["dn*.rack*.example"], "network"],
  ["http://dn.example/", FAR, ["dn*n.example"], "none"],
  ["http://169.254.169.254/", FAR, ["*"], "network"],
  ["http://169.254.169.254/", FAR, ["169.254.169.254"], "anywhere"],
  ["http://dn.example/", HERE, ["*"], "machine"],
  ["http://dn.example/", { ...FAR, address: undefined }, ["*"], "network"],
])("%s, to which %j sends, with %j, may be reached: %s", (target, nameNode, dataNodes, reach) => {
  expect(dataNodeReach(new URL(target), nameNode, dataNodes)).toBe(reach);
});
