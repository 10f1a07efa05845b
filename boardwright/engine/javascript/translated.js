__BRYTHON__.parse_options();
__BRYTHON__.url2name.presentation = "presentation";
__BRYTHON__.imported.presentation = __BRYTHON__.module.$factory("presentation");
(() => {
TRANSLATED
})();
