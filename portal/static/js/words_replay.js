// The words of a replay, in each language.

export const EN_REPLAY = {
  replayed: "Replay",
  replay: "Replay",
  replayWhat: "Goes through it once more by what was recorded. Nothing is done, and no model is asked.",
  replaying: "Replaying …",
  replay_intent: () => "How it was read:",
  replay_tools: () => "Which tools were recommended:",
  replay_model: (name) => `The question to a model (${name}):`,
  replay_plan: () => "The plan:",
  replay_question: () => "What was asked back:",
  replay_answer: () => "The answer:",
  replay_approval: (name) => `The answer to a card (${name}):`,
  replay_task: (name) => `Task ${name}:`,
  replay_output: (name) => `What task ${name} gives:`,
  replay_effect: () => "What was changed:",
};

export const DE_REPLAY = {
  replayed: "Wiederholung",
  replay: "Wiederholen",
  replayWhat: "Geht alles nach dem Aufgeschriebenen noch einmal durch. Nichts wird getan, und kein Modell wird gefragt.",
  replaying: "Wird wiederholt …",
  replay_intent: () => "Wie es gelesen wurde:",
  replay_tools: () => "Welche Werkzeuge empfohlen wurden:",
  replay_model: (name) => `Die Frage an ein Modell (${name}):`,
  replay_plan: () => "Der Plan:",
  replay_question: () => "Was zurückgefragt wurde:",
  replay_answer: () => "Die Antwort:",
  replay_approval: (name) => `Die Antwort auf eine Karte (${name}):`,
  replay_task: (name) => `Aufgabe ${name}:`,
  replay_output: (name) => `Was Aufgabe ${name} ergibt:`,
  replay_effect: () => "Was geändert wurde:",
};
