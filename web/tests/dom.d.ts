// What TypeScript does not know of the page: which kind of element a selector finds. Elements that are found are not checked.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
  dataset?: any;
}
interface EventTarget {
  closest?(selectors: string): any;
  dataset?: any;
}
