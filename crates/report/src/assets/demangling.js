// How the parsers of names give up.

const demangling = (() => {
  "use strict";

  class Failure extends Error {}

  return {
    Failure,
    fail: () => {
      throw new Failure();
    },
  };
})();
