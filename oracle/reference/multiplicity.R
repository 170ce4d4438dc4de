# Adjusted p values: p.adjust; all pairs of marginal means (estimates, SEs and df of lmm.json) by Tukey's and Holm's methods.
# Run from the project's root:  Rscript oracle/reference/multiplicity.R   (writes oracle/reference/multiplicity.json)
source("oracle/reference/cases.R")
source("oracle/reference/tukey.R")
reference <- read_cases("multiplicity.json")
reference$note <- NULL; reference$schema <- NULL
for (i in seq_along(reference$cases)) {
  case <- reference$cases[[i]]; input <- lapply(case$input, unlist)
  if (case$kind == "adjust") {
    methods <- c("bonferroni", "holm", "hochberg", "hommel", "BH", "BY")
    case$expected <- sapply(methods, function(m) I(p.adjust(input$p, m)), simplify = FALSE)
  } else {
    t <- input$estimate / input$se; p <- 2 * pt(-abs(t), input$df)
    crit <- sapply(input$df, function(df) tukey_quantile(0.95, input$means, df) / sqrt(2))
    case$expected <- list(p = I(p), p_holm = I(p.adjust(p, "holm")),
      p_tukey = I(mapply(function(q, df) tukey_upper(q, input$means, df), abs(t) * sqrt(2), input$df)),
      printed_tukey = I(ptukey(abs(t) * sqrt(2), input$means, input$df, lower.tail = FALSE)),
      lower = I(input$estimate - crit * input$se), upper = I(input$estimate + crit * input$se))
  }
  reference$cases[[i]] <- case
}
write_cases(reference, "multiplicity.json", character(0))
