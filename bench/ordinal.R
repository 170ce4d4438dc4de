# The same fits with ordinal and lme4: one JSON line for each problem of bench/ordinal.ts, processor seconds.
# Data sets beyond 50 items x 3 take R minutes each; they are fitted by `npm run bench ordinal --full` only.
suppressMessages({ library(ordinal); library(lme4) })
full <- nzchar(Sys.getenv("npm_config_full")); only <- Sys.getenv("BENCH_ONLY")
quiet <- function(e) suppressWarnings(suppressMessages(e))
cpu <- function(f, reps) { m <- NULL; t <- min(vapply(seq_len(reps), function(i) { gc(FALSE); s <- system.time(m <<- f()); s[[1]] + s[[2]] }, 0)); list(t, as.numeric(logLik(m))) }
say <- function(problem, r) cat(sprintf('{"problem":"%s","seconds":%.6g,"logLik":%.14g,"tool":"R"}\n', problem, r[[1]], r[[2]]))
wanted <- function(problem, slow) (full || !slow) && grepl(only, problem, fixed = TRUE)
folder <- "dist/bench/ordinal-data"
for (items in c(50, 100, 500)) for (count in c(3, 10)) for (design in c("paired", "lists")) {
  name <- sprintf("%s %d items x %d", design, items, count); slow <- items * count > 150
  if (!wanted(name, slow)) next
  d <- read.csv(file.path(folder, paste0(gsub(" ", "-", name), ".csv")), stringsAsFactors = TRUE); d$rating <- factor(d$rating, levels = 1:6, ordered = TRUE)
  say(paste("clmm", name), cpu(function() quiet(clmm(rating ~ model + (model | participant) + (model | item), d, link = "probit")), if (slow) 1 else 2))
}
VerbAgg$Anger <- as.numeric(VerbAgg$Anger)
if (wanted("glmer VerbAgg main effects", FALSE)) say("glmer VerbAgg main effects", cpu(function() quiet(glmer(r2 ~ Anger + Gender + btype + situ + (1 | id) + (1 | item), VerbAgg, family = binomial)), 2))
if (wanted("glmer VerbAgg two-way", TRUE)) say("glmer VerbAgg two-way", cpu(function() quiet(glmer(r2 ~ (Anger + Gender + btype + situ)^2 + (1 | id) + (1 | item), VerbAgg, family = binomial)), 1))
