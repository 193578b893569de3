// What is asked of every script. Layout is the formatter's business, and unknown names are the type checker's.

import js from "@eslint/js";

const MARKUP = "texts go in as text, so that none of them can be markup";
const DOORS = [
  "MemberExpression[property.name=/^(innerHTML|outerHTML|srcdoc)$/]",
  "Property[key.name=/^(innerHTML|outerHTML|srcdoc)$/]",
  "CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe)$/]",
  "CallExpression[callee.object.name='document'][callee.property.name=/^write/]",
];

export default [
  { ignores: ["build/", "node_modules/", "site/vendor/", "site/bundled/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // TypeScript knows what each host brings along; the linter would need a list of its own.
      "no-undef": "off",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-duplicate-imports": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "no-restricted-syntax": ["error", ...DOORS.map((selector) => ({ selector, message: MARKUP }))],
      // The formatter wraps code and leaves comments; a sentence or a pattern stays whole, so that a search finds it.
      "max-len": [
        "error",
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true },
      ],
    },
  },
  {
    files: ["tests/**"],
    rules: {
      // Stand-ins for hosts draw texts as HTML because the hosts do, and tests read the markup that comes out.
      "no-restricted-syntax": "off",
    },
  },
];
