// What the entries of a package have for the work on this repository alone is no part of what is published.
module.exports = {
  hooks: {
    beforePacking(manifest) {
      for (const targets of Object.values(manifest.exports ?? {})) {
        if (typeof targets === "object") delete targets["kindling-source"];
      }
      return manifest;
    },
  },
};
