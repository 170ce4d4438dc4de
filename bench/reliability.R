# The same grid with lme4: one JSON line for each problem of bench/reliability.ts that R has.
suppressMessages(library(lme4))
say <- function(problem, seconds) cat(sprintf('{"problem":"%s","seconds":%.6g,"tool":"R"}\n', problem, seconds))
file <- "../shared/data/riezler2021/mt_grid_full.csv.gz"
if (file.exists(file)) {
  d <- read.csv(gzfile(file), colClasses = c(sentence_id = "factor", delta_scheme = "character"))
  d <- droplevels(d[d$delta_scheme == "(-0.5:0.5)", ])
  f <- ter ~ (1 | sentence_id) + (1 | learning_rate) + (1 | seed) + (1 | decoder_dropout) + (1 | decoder_dropout_hidden) + (1 | encoder_dropout)
  say("Table 3.11: six components", system.time(lmer(f, d, control = lmerControl(calc.derivs = FALSE)))[[3]])
}
