// What ESLint looks for in the modules of the page: errors, and what the house rules ask for. Types are checked by tsc.

const RULES = {
  "no-undef": "error", "no-unused-vars": ["error", { argsIgnorePattern: "^_" }], "no-dupe-keys": "error", "no-dupe-class-members": "error",
  "no-unused-private-class-members": "error", "no-unreachable": "error", "no-fallthrough": "error", "no-self-assign": "error",
  "no-constant-condition": ["error", { checkLoops: false }], "no-sparse-arrays": "error", "use-isnan": "error",
  "valid-typeof": "error", "no-async-promise-executor": "error", "no-promise-executor-return": "off", "no-const-assign": "error",
  "no-redeclare": "error", "no-shadow-restricted-names": "error", "no-empty": "error", "no-eval": "error", "no-implied-eval": "error",
  "eqeqeq": "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }], "no-console": "error", "no-alert": "error", "no-debugger": "error",
};
const BROWSER = [
  "document", "window", "location", "history", "localStorage", "navigator", "fetch", "performance", "customElements", "matchMedia", "getComputedStyle",
  "requestAnimationFrame", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "addEventListener", "removeEventListener", "dispatchEvent",
  "innerWidth", "innerHeight", "crypto", "btoa", "atob", "structuredClone", "HTMLElement", "Event", "CustomEvent", "CSS", "CSSStyleSheet", "Blob", "URL",
  "URLSearchParams", "TextEncoder", "TextDecoder", "TextDecoderStream", "CompressionStream", "DecompressionStream", "DOMParser", "XMLSerializer", "FormData",
  "AbortController", "AbortSignal", "ResizeObserver", "IntersectionObserver", "MutationObserver", "Image", "Worker", "AudioContext", "BroadcastChannel", "StorageEvent",
];

export default [{
  files: ["../*.js", "*.js"],
  ignores: ["**/codemirror.js"],
  languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])) },
  rules: RULES,
}];
