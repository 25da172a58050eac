// Making elements and wording numbers. Text of the link only ever becomes text of the page.

const elements = (() => {
  "use strict";

  /** An element with attributes, properties (`onclick`, `hidden`) and children. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (key in element && typeof value !== "string") element[key] = value;
      else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function show(parent, ...children) {
    parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  }

  /** Groups of three digits. */
  const count = (value) => Math.round(value).toLocaleString("en-US").replaceAll(",", "\u202f");

  /** How many of what. */
  const some = (value, what) => `${count(value)} ${what}${value === 1 ? "" : "s"}`;

  const bytes = (value) => count(value) + " B";

  /** With a unit that keeps it short. */
  function size(value) {
    const magnitude = Math.abs(value);
    if (magnitude < 1024) return value + " B";
    const units = ["KiB", "MiB", "GiB", "TiB"];
    let scaled = value / 1024;
    let unit = 0;
    while (Math.abs(scaled) >= 1024 && unit + 1 < units.length) {
      scaled /= 1024;
      unit++;
    }
    return scaled.toFixed(Math.abs(scaled) < 10 ? 2 : 1) + " " + units[unit];
  }

  function share(part, whole) {
    if (!(whole > 0)) return "";
    const percent = (100 * part) / whole;
    return (percent >= 10 ? percent.toFixed(1) : percent.toFixed(2)) + " %";
  }

  const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "±") + size(Math.abs(value));

  const milliseconds = (microseconds) =>
    (microseconds / 1000).toFixed(microseconds < 10000 ? 2 : 1) + " ms";

  return { make, show, count, some, bytes, size, share, signed, milliseconds };
})();
