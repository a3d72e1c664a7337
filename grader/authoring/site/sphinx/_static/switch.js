// An address with ?lang=zh leads to the Chinese page, one with ?lang=en to the English page. The link itself needs no script.
const wanted = new URLSearchParams(location.search).get("lang");
const other = document.querySelector("a.switch");
if (wanted && other && other.hreflang.startsWith(wanted)) location.replace(other.href + location.hash);
