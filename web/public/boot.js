// SPDX-License-Identifier: GPL-3.0-or-later
// Runs before anything is painted, in any browser, so it is plain old JavaScript.
// Sets the theme from the saved choice (no flash) and shows a plain notice to browsers that are too old.
(function () {
  var root = document.documentElement;
  try {
    var saved = JSON.parse(localStorage.getItem('rokada.settings') || '{}');
    if (saved.theme === 'dark' || saved.theme === 'light') root.setAttribute('data-theme', saved.theme);
  } catch (e) {
    // Private windows may forbid storage; the system's theme is used.
  }
  var modern = 'noModule' in document.createElement('script') && window.customElements &&
    window.WebAssembly && 'adoptedStyleSheets' in document;
  if (!modern) {
    document.addEventListener('DOMContentLoaded', function () {
      var notice = document.getElementById('old-browser');
      if (notice) notice.removeAttribute('hidden');
    });
  }
})();
