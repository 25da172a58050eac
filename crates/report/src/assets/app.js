// Starts the page: reads the data, makes views when they are first looked at, and leads from one to
// another.

(() => {
  "use strict";
  const { make, show, size, bytes, some } = elements;
  const $ = (id) => document.getElementById(id);

  const VIEWS = ["treemap", "removed", "timeline", "libraries", "symbol", "compare"];

  function startTheme() {
    $("theme").onclick = () => {
      const isDark = document.documentElement.dataset.theme
        ? document.documentElement.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      document.documentElement.dataset.theme = isDark ? "light" : "dark";
    };
  }

  function start(loaded) {
    const views = {};
    const makers = {
      treemap: (view) => new treemap.Treemap(view, loaded, actions),
      removed: (view) => tables.removedView(view, loaded, actions),
      timeline: (view) => timeline.timelineView(view, loaded),
      libraries: (view) => tables.librariesView(view, loaded, actions),
      symbol: (view) => new symbol.SymbolView(view, loaded, actions),
      compare: (view) => new compare.CompareView(view, loaded, actions),
    };

    function open(name) {
      for (const other of VIEWS) {
        $("view-" + other).hidden = other !== name;
        $("tab-" + other).setAttribute("aria-selected", String(other === name));
        $("tab-" + other).tabIndex = other === name ? 0 : -1;
      }
      views[name] ??= makers[name]($("view-" + name)) ?? true;
      return views[name];
    }

    const link = (text, act) => {
      const button = make("button", { type: "button", class: "inline" }, text);
      button.onclick = (event) => {
        event.stopPropagation();
        act();
      };
      return button;
    };

    const actions = {
      symbol(at) {
        open("symbol").open(at);
        $("view-symbol").focus({ preventScroll: true });
        scrollTo(0, 0);
      },
      section(at) {
        const [first] = loaded.symbolsOf(at);
        open("symbol").open(first ?? null, at);
        scrollTo(0, 0);
      },
      importOf(at) {
        open("symbol").openImport(at);
        $("view-symbol").focus({ preventScroll: true });
        scrollTo(0, 0);
      },
      reveal(kind, id) {
        open("treemap").reveal(kind, id);
      },
      symbolLink: (at) => link(loaded.label(at), () => actions.symbol(at)),
      importLink: (at) => link(demangle(loaded.data.imports.name[at]), () => actions.importOf(at)),
      sectionLink: (at) => link(loaded.sectionLabel(at), () => actions.section(at)),
    };

    VIEWS.forEach((name, at) => {
      const tab = $("tab-" + name);
      tab.onclick = () => open(name);
      tab.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = VIEWS[(at + step + VIEWS.length) % VIEWS.length];
        open(next);
        $("tab-" + next).focus();
      };
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) {
        event.preventDefault();
        $("query").focus();
      }
    });
    describe(loaded);
    open("treemap");
    new search.Search(loaded, actions);
  }

  function describe(loaded) {
    const { output, linker, objects } = loaded.data;
    $("output").textContent = output.path.replace(/.*\//, "");
    $("output").title = output.path;
    const facts = [output.kind, `${size(output.file_size)} (${bytes(output.file_size)})`, some(objects.name.length, "object"), some(loaded.symbolCount, "symbol"), linker];
    show($("facts"), facts.join(" · "));
  }

  async function main() {
    startTheme();
    const status = $("status");
    try {
      const data = await model.unpack($("data").textContent);
      $("data").remove();
      start(new model.Model(data));
      status.hidden = true;
      document.documentElement.dataset.ready = String(Math.round(performance.now()));
    } catch (error) {
      status.textContent = `The report cannot be shown: ${error.message}`;
      throw error;
    }
  }

  main();
})();
