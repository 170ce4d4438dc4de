const PEOPLE = /(^|-)(tukey|holm|bonferroni|sidak|hochberg|hommel|scheffe|dunnett|nemenyi)/g;

/** An adjustment for several tests as prose writes it: Holm, Tukey, Holm-Sidak are people; BH and max-T are no words. */
export const adjustmentName = (adjust: string): string =>
  adjust === "max-t"
    ? "max-T"
    : adjust.replace(
        PEOPLE,
        (_, before: string, name: string) => before + name.charAt(0).toUpperCase() + name.slice(1),
      );
