// What the theme's script adds to a page later: wide tables that only a pointer could scroll, and a
// landmark around each copy button.
function amend() {
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
  document.querySelectorAll(".md-code__nav:not([role])").forEach((nav) => {
    nav.setAttribute("role", "none");
  });
}
new MutationObserver(amend).observe(document.body, { childList: true, subtree: true });
window.addEventListener("resize", amend);
amend();
