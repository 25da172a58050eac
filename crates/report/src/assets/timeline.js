// Phases and workers' events over time, by thread.

const timeline = (() => {
  "use strict";
  const { make, show, milliseconds } = elements;

  const ROW = 22;

  /** How many times the width of the page the chart can have. */
  const MOST = 128;

  function timelineView(view, model) {
    const { timeline } = model.data;
    const spans = timeline.name.map((name, at) => ({
      name, detail: timeline.detail[at], thread: timeline.thread[at], depth: timeline.depth[at],
      begin: timeline.begin[at], duration: timeline.duration[at], cpu: timeline.cpu[at],
    }));
    const phases = spans.filter((span) => span.depth >= 0);
    const elapsed = Math.max(timeline.elapsed, 1, ...spans.map((span) => span.begin + span.duration));
    const details = make("p", { class: "details", "aria-live": "polite" }, "Point at a bar to see what it is. Drag to move, Ctrl and the wheel or + and − to zoom.");
    const chart = new Chart(spans, elapsed, details);
    const button = (text, title, act) => {
      const button = make("button", { type: "button", title }, text);
      button.onclick = act;
      return button;
    };
    const bar = make("div", { class: "bar" }, make("span", {}, `${milliseconds(elapsed)} until the report was made`),
      make("span", { class: "zoom" }, button("−", "Smaller", () => chart.zoom(0.5)), button("+", "Larger", () => chart.zoom(2)), button("0", "All", () => chart.zoom(0))));
    const total = elapsed;
    const columns = [
      { title: "Phase", value: (span) => span.begin, text: (span) => "\u2003".repeat(span.depth) + span.name },
      { title: "Begin", number: true, value: (span) => span.begin, text: (span) => milliseconds(span.begin) },
      { title: "Time", number: true, value: (span) => span.duration, text: (span) => milliseconds(span.duration) },
      { title: "Share", number: true, value: (span) => span.duration, text: (span) => elements.share(span.duration, total) },
      { title: "CPU time", number: true, value: (span) => span.cpu, text: (span) => milliseconds(span.cpu) },
      { title: "Threads busy", number: true, value: (span) => busy(span) ?? -1, text: (span) => busy(span)?.toFixed(1) ?? "" },
    ];
    show(view, bar, chart.box, details, make("h2", {}, "Phases"), tables.table(columns, phases, { sorted: 1 }));
    chart.fit();
  }

  /** How many threads worked during a phase; unknown of one too short for the clock. */
  const busy = (span) => (span.duration < 50 ? undefined : span.cpu / span.duration);

  /** Gives each span of a thread the first lane that is free. */
  function lanes(spans) {
    const free = [];
    for (const span of spans) {
      let lane = span.depth >= 0 ? span.depth : free.findIndex((end) => end <= span.begin);
      if (lane < 0) lane = free.length;
      while (free.length <= lane) free.push(0);
      free[lane] = span.begin + span.duration;
      span.lane = lane;
    }
    return free.length;
  }

  /** The bars of all threads in a box that scrolls. Places are shares of the width, which zooming changes. */
  class Chart {
    constructor(spans, elapsed, details) {
      Object.assign(this, { elapsed, scale: 1 });
      this.ticks = make("div", { class: "ticks" });
      this.chart = make("div", { class: "chart" }, this.ticks);
      this.box = make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Timeline" }, this.chart);
      this.bars = [];
      this.addThreads(spans, details);
      this.listen();
    }

    share(time) {
      return `${(100 * time) / this.elapsed}%`;
    }

    addThreads(spans, details) {
      let top = 24;
      const threads = [...new Set(spans.map((span) => span.thread))].sort((a, b) => a - b);
      for (const thread of threads) {
        const own = spans.filter((span) => span.thread === thread);
        const phases = own.filter((span) => span.depth >= 0);
        const events = own.filter((span) => span.depth < 0).sort((a, b) => a.begin - b.begin);
        const row = make("div", { class: "thread" }, make("span", {}, thread === 0 ? "main thread" : `worker ${thread}`));
        row.style.top = `${top}px`;
        this.chart.append(row);
        top += ROW;
        for (const group of [phases, events]) {
          const rows = lanes(group);
          for (const span of group) this.bars.push([span, bar(span, top, (time) => this.share(time), details)]);
          top += rows * ROW;
        }
        top += 6;
      }
      this.chart.append(...this.bars.map(([, bar]) => bar));
      this.chart.style.height = `${top}px`;
    }

    /** By a factor, 0 for all of it. What is at `x` of the box stays there, which is its middle at first. */
    zoom(factor, x = this.box.clientWidth / 2) {
      const at = (this.box.scrollLeft + x) / (this.box.clientWidth * this.scale);
      this.scale = Math.min(MOST, Math.max(1, this.scale * factor));
      this.fit();
      this.box.scrollLeft = at * this.box.clientWidth * this.scale - x;
    }

    /** Draws what depends on the width. */
    fit() {
      const width = (this.width = this.box.clientWidth) * this.scale;
      this.chart.style.width = `${100 * this.scale}%`;
      const pixels = (time) => (time / this.elapsed) * width;
      for (const [span, bar] of this.bars) bar.classList.toggle("narrow", pixels(span.duration) < 28);
      const unit = 10 ** Math.floor(Math.log10((this.elapsed * 80) / width));
      const every = [1, 2, 5, 10].map((times) => times * unit).find((every) => pixels(every) >= 80);
      const ticks = [];
      for (let at = 0; pixels(at * every) < width - 60; at++) {
        const tick = make("span", { class: "tick" }, milliseconds(at * every).replace(/\.0+ /, " "));
        tick.style.left = this.share(at * every);
        ticks.push(tick);
      }
      show(this.ticks, ...ticks);
    }

    listen() {
      const { box } = this;
      new ResizeObserver(() => {
        if (box.clientWidth && box.clientWidth !== this.width) this.fit();
      }).observe(box);
      box.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - box.getBoundingClientRect().left);
      }, { passive: false });
      box.onpointerdown = (event) => {
        if (event.button === 0 && event.pointerType === "mouse") this.grabbed = event.clientX + box.scrollLeft;
      };
      box.onpointermove = (event) => {
        if (!(event.buttons & 1)) this.grabbed = undefined;
        if (this.grabbed !== undefined) box.scrollLeft = this.grabbed - event.clientX;
      };
      box.onkeydown = (event) => {
        const factor = { "+": 2, "=": 2, "-": 0.5, "0": 0 }[event.key];
        const step = { ArrowLeft: -80, ArrowRight: 80 }[event.key];
        if (event.ctrlKey || event.metaKey || (factor ?? step) === undefined) return;
        if (step) box.scrollLeft += step;
        else this.zoom(factor);
        event.preventDefault();
      };
    }
  }

  function bar(span, top, percent, details) {
    const bar = make("span", { class: span.depth >= 0 ? "span" : "span event", tabindex: "0" }, span.name);
    bar.style.cssText = `left:${percent(span.begin)};width:max(2px,${percent(span.duration)});top:${top + span.lane * ROW}px;--hue:${hue(span.name)}`;
    bar.onpointerover = bar.onfocus = () =>
      show(details, make("b", {}, span.name), ` ${span.detail} — from ${milliseconds(span.begin)}, ${milliseconds(span.duration)}` + (span.depth >= 0 ? `, CPU ${milliseconds(span.cpu)}` : ""));
    return bar;
  }

  function hue(name) {
    let hash = 7;
    for (const c of name) hash = (hash * 31 + c.charCodeAt(0)) % 360;
    return hash;
  }

  return { timelineView };
})();
