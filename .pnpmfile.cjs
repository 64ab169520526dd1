// Published packages do not have the condition of their entries that only the work on this repository needs.
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
