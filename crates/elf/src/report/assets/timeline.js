// Phases and workers' events over time, by thread.

const timeline = (() => {
  "use strict";
  const { make, show, milliseconds } = elements;

  const ROW = 22;

  function timelineView(view, model) {
    const { timeline } = model.data;
    const spans = timeline.name.map((name, at) => ({
      name, detail: timeline.detail[at], thread: timeline.thread[at], depth: timeline.depth[at],
      begin: timeline.begin[at], duration: timeline.duration[at], cpu: timeline.cpu[at],
    }));
    const phases = spans.filter((span) => span.depth >= 0);
    const elapsed = Math.max(timeline.elapsed, 1, ...spans.map((span) => span.begin + span.duration));
    const chart = make("div", { class: "chart" });
    const details = make("p", { class: "details", "aria-live": "polite" });
    let scale = 1;
    const draw = () => drawChart(chart, spans, elapsed, scale, details);
    const zoom = (factor) => () => {
      scale = Math.min(64, Math.max(1, scale * factor));
      draw();
    };
    const button = (text, title, act) => {
      const button = make("button", { type: "button", title }, text);
      button.onclick = act;
      return button;
    };
    const bar = make("div", { class: "bar" }, make("span", {}, `${milliseconds(elapsed)} until the report was made`),
      make("span", { class: "zoom" }, button("−", "Smaller", zoom(0.5)), button("+", "Larger", zoom(2))));
    const total = elapsed;
    const columns = [
      { title: "Phase", value: (span) => span.begin, text: (span) => "\u2003".repeat(span.depth) + span.name },
      { title: "Begin", number: true, value: (span) => span.begin, text: (span) => milliseconds(span.begin) },
      { title: "Time", number: true, value: (span) => span.duration, text: (span) => milliseconds(span.duration) },
      { title: "Share", number: true, value: (span) => span.duration, text: (span) => elements.share(span.duration, total) },
      { title: "CPU time", number: true, value: (span) => span.cpu, text: (span) => milliseconds(span.cpu) },
      { title: "Threads busy", number: true, value: (span) => span.cpu / Math.max(1, span.duration), text: (span) => (span.cpu / Math.max(1, span.duration)).toFixed(1) },
    ];
    show(view, bar, make("div", { class: "scroll" }, chart), details, make("h2", {}, "Phases"), tables.table(columns, phases, { sorted: 1 }));
    draw();
  }

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

  function drawChart(chart, spans, elapsed, scale, details) {
    const parts = [];
    let top = 24;
    const percent = (time) => `${(100 * time) / elapsed}%`;
    const step = 10 ** Math.floor(Math.log10(elapsed / scale / 4));
    const every = [1, 2, 5, 10].map((times) => times * step).find((every) => elapsed / every <= 12 * scale) ?? 10 * step;
    for (let time = 0; time <= elapsed; time += every) {
      const tick = make("span", { class: "tick" }, milliseconds(time).replace(/\.0+ /, " "));
      tick.style.left = percent(time);
      parts.push(tick);
    }
    const threads = [...new Set(spans.map((span) => span.thread))].sort((a, b) => a - b);
    for (const thread of threads) {
      const own = spans.filter((span) => span.thread === thread);
      const phases = own.filter((span) => span.depth >= 0);
      const events = own.filter((span) => span.depth < 0).sort((a, b) => a.begin - b.begin);
      const title = make("span", { class: "thread" }, thread === 0 ? "main thread" : `worker ${thread}`);
      title.style.top = `${top}px`;
      parts.push(title);
      top += ROW;
      for (const group of [phases, events]) {
        const rows = lanes(group);
        for (const span of group) parts.push(bar(span, top, percent, elapsed, details));
        top += rows * ROW;
      }
      top += 6;
    }
    chart.style.height = `${top}px`;
    chart.style.width = `${100 * scale}%`;
    show(chart, ...parts);
  }

  function bar(span, top, percent, elapsed, details) {
    const bar = make("span", { class: span.depth >= 0 ? "span" : "span event", tabindex: "0" }, span.name);
    bar.style.cssText = `left:${percent(span.begin)};width:max(1px,${percent(span.duration)});top:${top + span.lane * ROW}px;--hue:${hue(span.name)}`;
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
