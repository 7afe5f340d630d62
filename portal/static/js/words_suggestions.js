// What the page says of suggestions: what came again and may be kept.

export const EN_SUGGESTIONS = {
  suggestions: "Suggestions",
  suggestionsNone: "Nothing has come again often enough yet.",
  suggestionUnasked: "A suggestion",
  suggestionLook: "Look at it",
  suggestionAway: "Not this for a week",
  suggestionName: "Name",
  suggestionShow: "What would be kept",
  suggestionAsk: (name, usual) => `ask each time: ${name} (so far ${usual})`,
  suggestionRuns: "Seen last in",
  suggestionKept: (name) => `${name} is kept, and stands under Macros. `,
  suggestionLater: "Not for a week",
  suggestionNever: "Never again",
  suggestionNeverWhich: "Never suggest this again?",
  suggestionNeverMeans: "Neither this nor another form of it is suggested again. What you did stays in the record.",
};

export const DE_SUGGESTIONS = {
  suggestions: "Vorschläge",
  suggestionsNone: "Noch ist nichts oft genug wiedergekehrt.",
  suggestionUnasked: "Ein Vorschlag",
  suggestionLook: "Ansehen",
  suggestionAway: "Das eine Woche lang nicht",
  suggestionName: "Name",
  suggestionShow: "Was behalten wird",
  suggestionAsk: (name, usual) => `jedes Mal fragen: ${name} (bisher ${usual})`,
  suggestionRuns: "Zuletzt gesehen in",
  suggestionKept: (name) => `${name} ist behalten und steht unter Makros. `,
  suggestionLater: "Eine Woche lang nicht",
  suggestionNever: "Nie mehr",
  suggestionNeverWhich: "Das nie mehr vorschlagen?",
  suggestionNeverMeans: "Weder dies noch eine andere Form davon wird wieder vorgeschlagen. Was du getan hast, bleibt verzeichnet.",
};
