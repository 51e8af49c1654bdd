// Let the keyboard scroll what is wider than the page: tables and blocks of code.
document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset__table, pre > code").forEach(
  (box) => { if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; }
);
