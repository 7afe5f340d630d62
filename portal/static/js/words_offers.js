// What the page says of offers: what may be wanted next.

export const EN_OFFERS = {
  offers: "You may want to say next",
  offerTitle: (why, percent) => `${why} (${percent} %) A click writes it into the line; nothing is done before you send it.`,
  offerAway: (text) => `Not this again, until I ask for it myself: ${text}`,
};

export const DE_OFFERS = {
  offers: "Vielleicht willst du als Nächstes sagen",
  offerTitle: (why, percent) => `${why} (${percent} %) Ein Klick schreibt es in die Zeile; getan wird nichts, bevor du es absendest.`,
  offerAway: (text) => `Das nicht mehr, bis ich selbst darum bitte: ${text}`,
};
